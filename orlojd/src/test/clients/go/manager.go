package main

import (
	"context"
	"fmt"
	"time"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const finalizer = "orloj.dev/go-test"

// reconciler keeps a ConfigMap for each McpServer, with an owner, and a finalizer.
type reconciler struct {
	client.Client
}

func (r reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	server := mcpServer()
	if err := r.Get(ctx, request.NamespacedName, server); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !server.GetDeletionTimestamp().IsZero() {
		controllerutil.RemoveFinalizer(server, finalizer)
		return ctrl.Result{}, r.Update(ctx, server)
	}
	if controllerutil.AddFinalizer(server, finalizer) {
		if err := r.Update(ctx, server); err != nil {
			return ctrl.Result{}, err
		}
	}
	owned := &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: server.GetName() + "-owned", Namespace: server.GetNamespace()}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, owned, func() error {
		owned.Data = map[string]string{"server": server.GetName()}
		return controllerutil.SetControllerReference(server, owned, r.Scheme())
	})
	return ctrl.Result{}, err
}

func mcpServer() *unstructured.Unstructured {
	server := &unstructured.Unstructured{}
	server.SetAPIVersion("orloj.dev/v1")
	server.SetKind("McpServer")
	return server
}

func until(condition func() error) error {
	end := time.Now().Add(30 * time.Second)
	for {
		err := condition()
		if err == nil || time.Now().After(end) {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func manager(config *rest.Config) {
	ctrl.SetLogger(zap.New())
	running, stop := context.WithCancel(ctx)
	defer stop()
	var made ctrl.Manager
	check("controller-runtime: manager", func() (err error) {
		made, err = ctrl.NewManager(config, ctrl.Options{
			Metrics:                 server.Options{BindAddress: "0"},
			Cache:                   cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
			LeaderElection:          true,
			LeaderElectionID:        "go-test",
			LeaderElectionNamespace: namespace,
		})
		if err != nil {
			return err
		}
		return ctrl.NewControllerManagedBy(made).Named("mcpserver").For(mcpServer()).
			Owns(&core.ConfigMap{}).Complete(reconciler{made.GetClient()})
	})
	if made == nil {
		return
	}
	ended := make(chan error, 1)
	go func() { ended <- made.Start(running) }()
	check("controller-runtime: leader, cache", func() error {
		select {
		case <-made.Elected():
			return nil
		case err := <-ended:
			return fmt.Errorf("ended: %w", err)
		case <-time.After(30 * time.Second):
			return fmt.Errorf("no leader in 30 s")
		}
	})
	direct, _ := client.New(config, client.Options{})
	managed := object("mcpservers", "managed")
	key := client.ObjectKey{Namespace: namespace, Name: "managed-owned"}
	check("controller-runtime: create", func() error { return direct.Create(ctx, managed) })
	check("controller-runtime: owned object", func() error {
		return until(func() error { return direct.Get(ctx, key, &core.ConfigMap{}) })
	})
	check("controller-runtime: owned object is made again", func() error {
		first := &core.ConfigMap{}
		if err := direct.Get(ctx, key, first); err != nil {
			return err
		}
		if err := direct.Delete(ctx, first); err != nil {
			return err
		}
		return until(func() error { return direct.Get(ctx, key, &core.ConfigMap{}) })
	})
	check("controller-runtime: status is another's", func() error {
		found := mcpServer()
		if err := direct.Get(ctx, client.ObjectKeyFromObject(managed), found); err != nil {
			return err
		}
		return direct.Status().Patch(ctx, found, client.RawPatch("application/merge-patch+json", []byte(`{"status":{}}`)))
	})
	check("controller-runtime: delete, with a finalizer", func() error {
		if err := direct.Delete(ctx, managed); err != nil {
			return err
		}
		return until(func() error {
			err := direct.Get(ctx, client.ObjectKeyFromObject(managed), mcpServer())
			if err == nil {
				return fmt.Errorf("still there")
			}
			return client.IgnoreNotFound(err)
		})
	})
}
