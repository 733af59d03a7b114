import "vue-virtual-scroller/dist/vue-virtual-scroller.css";
import { createApp } from "vue";
import { DynamicScroller, DynamicScrollerItem } from "vue-virtual-scroller";
import { useRecords } from "./shared/vue.js";

createApp({
  components: { DynamicScroller, DynamicScrollerItem },
  setup: () => ({ items: useRecords(() => "/data/orders?limit=200") }),
  template: `
    <DynamicScroller :items="items" :min-item-size="54" style="height: 400px; width: 400px">
      <template #default="{ item, index, active }">
        <DynamicScrollerItem :item="item" :active="active" :size-dependencies="[item.note]" :data-index="index">
          <div class="order" style="padding: 8px 0"><b>{{ item.number }}</b><p>{{ item.note }}</p></div>
        </DynamicScrollerItem>
      </template>
    </DynamicScroller>`,
}).mount("#root");
