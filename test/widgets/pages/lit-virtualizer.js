import "@lit-labs/virtualizer";
import { html, LitElement } from "lit";

class OrderList extends LitElement {
  static properties = { orders: { state: true } };

  constructor() {
    super();
    this.orders = [];
  }

  async firstUpdated() {
    this.orders = (await (await fetch("/data/orders")).json()).rows;
  }

  render() {
    return html`
      <h2>Orders</h2>
      <lit-virtualizer
        scroller
        style="height: 400px"
        .items=${this.orders}
        .renderItem=${({ number, customer }) =>
          html`<div class="order" style="padding: 6px; width: 100%"><b>${number}</b> <span>${customer}</span></div>`}
      ></lit-virtualizer>`;
  }
}
customElements.define("order-list", OrderList);
document.getElementById("root").innerHTML = "<order-list></order-list>";
