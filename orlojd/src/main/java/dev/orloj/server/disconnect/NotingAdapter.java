package dev.orloj.server.disconnect;

import org.apache.coyote.Adapter;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.SocketEvent;

/** Reports that the whole head of a request has arrived, before the request is served. */
record NotingAdapter(Adapter adapter, Runnable headHasCome) implements Adapter {

    @Override
    public void service(Request request, Response response) throws Exception {
        headHasCome.run();
        adapter.service(request, response);
    }

    @Override
    public boolean prepare(Request request, Response response) throws Exception {
        return adapter.prepare(request, response);
    }

    @Override
    public boolean asyncDispatch(Request request, Response response, SocketEvent event)
            throws Exception {
        return adapter.asyncDispatch(request, response, event);
    }

    @Override
    public void log(Request request, Response response, long time) {
        adapter.log(request, response, time);
    }

    @Override
    public void checkRecycled(Request request, Response response) {
        adapter.checkRecycled(request, response);
    }

    @Override
    public String getDomain() {
        return adapter.getDomain();
    }
}
