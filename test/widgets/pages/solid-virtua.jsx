import { createResource, Show } from "solid-js";
import { render } from "solid-js/web";
import { VList } from "virtua/solid";

function App() {
  const [orders] = createResource(async () => (await (await fetch("/data/orders")).json()).rows);
  return (
    <Show when={orders()}>
      <VList data={orders()} style={{ height: "600px" }}>
        {(order) => (
          <div class="order" style={{ "border-bottom": "solid 1px #ccc", padding: "5px" }}>
            <b>{order.number}</b> <span>{order.customer}</span>
          </div>
        )}
      </VList>
    </Show>
  );
}

render(() => <App />, document.getElementById("root"));
