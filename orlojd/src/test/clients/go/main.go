// client-go, typed and dynamic, and a manager of controller-runtime, over every kind that is served.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	authorization "k8s.io/api/authorization/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	events "k8s.io/api/events/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

const namespace = "clients-go"

var (
	checks, failed int
	ctx            = context.Background()
	label          = []byte(`{"metadata":{"labels":{"a":"b"}}}`)
	labelled       = meta.ListOptions{LabelSelector: "a=b"}
)

func check(title string, action func() error) {
	checks++
	if err := action(); err != nil {
		failed++
		fmt.Printf("FAIL %s: %v\n", title, err)
	} else {
		fmt.Printf("ok %s\n", title)
	}
}

func expect(condition bool, text string) error {
	if !condition {
		return fmt.Errorf("%s", text)
	}
	return nil
}

// typed is what all typed clients of client-go have.
type typed[T any, L any] interface {
	Create(context.Context, T, meta.CreateOptions) (T, error)
	Update(context.Context, T, meta.UpdateOptions) (T, error)
	Get(context.Context, string, meta.GetOptions) (T, error)
	List(context.Context, meta.ListOptions) (L, error)
	Watch(context.Context, meta.ListOptions) (watch.Interface, error)
	Patch(context.Context, string, types.PatchType, []byte, meta.PatchOptions, ...string) (T, error)
	Delete(context.Context, string, meta.DeleteOptions) error
	DeleteCollection(context.Context, meta.DeleteOptions, meta.ListOptions) error
}

func first(open func(context.Context, meta.ListOptions) (watch.Interface, error)) error {
	stream, err := open(ctx, meta.ListOptions{})
	if err != nil {
		return err
	}
	defer stream.Stop()
	select {
	case event := <-stream.ResultChan():
		return expect(event.Type == watch.Added, fmt.Sprintf("%v: %v", event.Type, event.Object))
	case <-time.After(10 * time.Second):
		return fmt.Errorf("no event in 10 s")
	}
}

func life[T meta.Object, L any](kind string, api typed[T, L], object T, change func(T), count func(L) int) {
	name := object.GetName()
	check(kind+": create", func() error {
		_, err := api.Create(ctx, object, meta.CreateOptions{FieldValidation: "Strict"})
		return err
	})
	check(kind+": get", func() error {
		found, err := api.Get(ctx, name, meta.GetOptions{})
		if err != nil {
			return err
		}
		return expect(found.GetUID() != "", "no uid")
	})
	for _, patch := range []types.PatchType{types.MergePatchType, types.StrategicMergePatchType} {
		check(kind+": "+string(patch), func() error {
			_, err := api.Patch(ctx, name, patch, label, meta.PatchOptions{})
			return err
		})
	}
	check(kind+": update", func() error {
		found, err := api.Get(ctx, name, meta.GetOptions{})
		if err != nil {
			return err
		}
		change(found)
		_, err = api.Update(ctx, found, meta.UpdateOptions{})
		return err
	})
	check(kind+": list by label", func() error {
		list, err := api.List(ctx, labelled)
		if err != nil {
			return err
		}
		return expect(count(list) == 1, "not one")
	})
	check(kind+": watch", func() error { return first(api.Watch) })
	check(kind+": delete", func() error { return api.Delete(ctx, name, meta.DeleteOptions{}) })
	check(kind+": delete collection", func() error {
		return api.DeleteCollection(ctx, meta.DeleteOptions{}, labelled)
	})
}

func main() {
	config := &rest.Config{Host: os.Getenv("SERVER"), QPS: 200, Burst: 200}
	client := kubernetes.NewForConfigOrDie(config)
	check("discovery", func() error {
		_, _, err := client.Discovery().ServerGroupsAndResources()
		return err
	})
	check("version", func() error { _, err := client.Discovery().ServerVersion(); return err })
	check("OpenAPI v2", func() error { _, err := client.Discovery().OpenAPISchema(); return err })
	check("OpenAPI v3", func() error { _, err := client.Discovery().OpenAPIV3().Paths(); return err })
	spaces := client.CoreV1().Namespaces()
	check("Namespace: create", func() error {
		_, err := spaces.Create(ctx, &core.Namespace{ObjectMeta: meta.ObjectMeta{Name: namespace}}, meta.CreateOptions{})
		return err
	})
	check("Namespace: list", func() error { _, err := spaces.List(ctx, meta.ListOptions{}); return err })
	check("Namespace: watch", func() error { return first(spaces.Watch) })
	written(client)
	projected(client)
	custom(dynamic.NewForConfigOrDie(config))
	manager(config)
	check("Namespace: delete", func() error { return spaces.Delete(ctx, namespace, meta.DeleteOptions{}) })
	fmt.Printf("%d checks, %d failed\n", checks, failed)
	if failed > 0 {
		os.Exit(1)
	}
}

func named() meta.ObjectMeta {
	return meta.ObjectMeta{Name: "life", Namespace: namespace}
}

func written(client *kubernetes.Clientset) {
	regarding := core.ObjectReference{APIVersion: "orloj.dev/v1", Kind: "McpServer", Namespace: namespace, Name: "x"}
	now, holder := time.Now(), "me"
	life("ConfigMap", client.CoreV1().ConfigMaps(namespace),
		&core.ConfigMap{ObjectMeta: named(), Data: map[string]string{"a": "1"}},
		func(found *core.ConfigMap) { found.Data["b"] = "2" },
		func(list *core.ConfigMapList) int { return len(list.Items) })
	life("Secret", client.CoreV1().Secrets(namespace),
		&core.Secret{ObjectMeta: named(), StringData: map[string]string{"a": "1"}},
		func(found *core.Secret) { found.Data["b"] = []byte("2") },
		func(list *core.SecretList) int { return len(list.Items) })
	life("Lease", client.CoordinationV1().Leases(namespace),
		&coordination.Lease{ObjectMeta: named(), Spec: coordination.LeaseSpec{HolderIdentity: &holder, RenewTime: &meta.MicroTime{Time: now}}},
		func(found *coordination.Lease) { found.Spec.HolderIdentity = nil },
		func(list *coordination.LeaseList) int { return len(list.Items) })
	life("Event of v1", client.CoreV1().Events(namespace),
		&core.Event{ObjectMeta: named(), InvolvedObject: regarding, Reason: "Tested", Message: "m", Type: "Normal", Count: 1,
			FirstTimestamp: meta.NewTime(now), LastTimestamp: meta.NewTime(now)},
		func(found *core.Event) { found.Count = 2 },
		func(list *core.EventList) int { return len(list.Items) })
	life("Event of events.k8s.io", client.EventsV1().Events(namespace),
		&events.Event{ObjectMeta: named(), Regarding: regarding, Reason: "Tested", Note: "m", Type: "Normal", Action: "Testing",
			ReportingController: "orloj.dev/test", ReportingInstance: "test-1", EventTime: meta.MicroTime{Time: now}},
		func(found *events.Event) {
			found.Series = &events.EventSeries{Count: 2, LastObservedTime: meta.MicroTime{Time: now}}
		},
		func(list *events.EventList) int { return len(list.Items) })
}

// projected reads what orlojd writes itself, of the server that is Ready in the namespace "default".
func projected(client *kubernetes.Clientset) {
	pods := client.CoreV1().Pods("default")
	check("Pod: list and get, with its log", func() error {
		list, err := pods.List(ctx, meta.ListOptions{})
		if err != nil {
			return err
		}
		if len(list.Items) == 0 {
			return fmt.Errorf("there is a server")
		}
		if _, err := pods.Get(ctx, list.Items[0].Name, meta.GetOptions{}); err != nil {
			return err
		}
		_, err = pods.GetLogs(list.Items[0].Name, &core.PodLogOptions{}).DoRaw(ctx)
		return err
	})
	check("Pod: security context, for kubectl debug", func() error {
		list, err := pods.List(ctx, meta.ListOptions{})
		if err != nil {
			return err
		}
		return expect(len(list.Items) > 0 && list.Items[0].Spec.SecurityContext != nil, "none")
	})
	check("Pod: watch", func() error { return first(pods.Watch) })
	check("Service: list", func() error {
		_, err := client.CoreV1().Services("").List(ctx, meta.ListOptions{})
		return err
	})
	check("Event of events.k8s.io: list of a server", func() error {
		list, err := client.EventsV1().Events("default").List(ctx, meta.ListOptions{})
		if err != nil {
			return err
		}
		return expect(len(list.Items) > 0, "no event")
	})
	check("SelfSubjectAccessReview: create", func() error {
		review := &authorization.SelfSubjectAccessReview{Spec: authorization.SelfSubjectAccessReviewSpec{
			ResourceAttributes: &authorization.ResourceAttributes{Verb: "get", Resource: "tools"}}}
		_, err := client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, meta.CreateOptions{})
		return err
	})
}

var kinds = map[string]map[string]any{
	"mcpservers": {"kind": "McpServer", "spec": map[string]any{"transport": "http", "endpoint": "http://127.0.0.1:9/mcp"}},
	"tools":      {"kind": "Tool", "spec": map[string]any{"type": "mcp", "mcp_server_ref": "none", "mcp_tool_name": "t"}},
	"sandboxes":  {"kind": "Sandbox", "spec": map[string]any{"image": "none/none"}},
	"secrets":    {"kind": "Secret", "spec": map[string]any{"stringData": map[string]any{"a": "1"}}},
}

func object(plural, name string) *unstructured.Unstructured {
	made := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "orloj.dev/v1", "kind": kinds[plural]["kind"], "spec": kinds[plural]["spec"]}}
	made.SetName(name)
	made.SetNamespace(namespace)
	return made.DeepCopy()
}

func custom(client dynamic.Interface) {
	for plural := range kinds {
		resource := schema.GroupVersionResource{Group: "orloj.dev", Version: "v1", Resource: plural}
		api := client.Resource(resource).Namespace(namespace)
		check("dynamic "+plural+": create", func() error {
			_, err := api.Create(ctx, object(plural, "c"), meta.CreateOptions{FieldValidation: "Strict"})
			return err
		})
		check("dynamic "+plural+": apply", func() error {
			_, err := api.Apply(ctx, "c", object(plural, "c"), meta.ApplyOptions{FieldManager: "go", Force: true})
			return err
		})
		check("dynamic "+plural+": patch", func() error {
			_, err := api.Patch(ctx, "c", types.MergePatchType, label, meta.PatchOptions{})
			return err
		})
		check("dynamic "+plural+": list by label", func() error {
			list, err := api.List(ctx, labelled)
			if err != nil {
				return err
			}
			return expect(len(list.Items) == 1, "not one")
		})
		check("dynamic "+plural+": watch", func() error { return first(api.Watch) })
		check("dynamic "+plural+": informer", func() error {
			limited, cancel := context.WithTimeout(ctx, 20*time.Second)
			defer cancel()
			factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, namespace, nil)
			informer := factory.ForResource(resource)
			informer.Informer()
			factory.Start(limited.Done())
			if !factory.WaitForCacheSync(limited.Done())[resource] {
				return fmt.Errorf("not in step in 20 s")
			}
			_, err := informer.Lister().ByNamespace(namespace).Get("c")
			return err
		})
		check("dynamic "+plural+": delete", func() error { return api.Delete(ctx, "c", meta.DeleteOptions{}) })
	}
	calls := schema.GroupVersionResource{Group: "orloj.dev", Version: "v1", Resource: "calls"}
	check("dynamic calls: list", func() error {
		_, err := client.Resource(calls).Namespace(namespace).List(ctx, meta.ListOptions{})
		return err
	})
	definitions := schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	check("dynamic customresourcedefinitions: list", func() error {
		_, err := client.Resource(definitions).List(ctx, meta.ListOptions{})
		return err
	})
	check("dynamic customresourcedefinitions: watch", func() error { return first(client.Resource(definitions).Watch) })
}
