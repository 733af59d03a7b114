import "vue-virtual-scroller/dist/vue-virtual-scroller.css";
import { createApp } from "vue";
import { RecycleScroller } from "vue-virtual-scroller";
import { useRecords } from "./shared/vue.js";

createApp({
  components: { RecycleScroller },
  setup: () => ({ list: useRecords(() => "/data/orders") }),
  template: `
    <RecycleScroller style="height: 400px" :items="list" :item-size="32" key-field="id" v-slot="{ item }">
      <div class="order" style="height: 32px"><b>{{ item.number }}</b> <span>{{ item.customer }}</span></div>
    </RecycleScroller>`,
}).mount("#root");
