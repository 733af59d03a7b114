import Aura from "@primeuix/themes/aura";
import Column from "primevue/column";
import PrimeVue from "primevue/config";
import DataTable from "primevue/datatable";
import { createApp } from "vue";
import { useRecords } from "./shared/vue.js";

createApp({
  components: { DataTable, Column },
  setup: () => ({ people: useRecords(() => "/data/people") }),
  template: `
    <DataTable :value="people" paginator :rows="5" :rowsPerPageOptions="[5, 10, 20, 50]" tableStyle="min-width: 50rem">
      <Column field="name" header="Name"></Column>
      <Column field="position" header="Position"></Column>
      <Column field="office" header="Office"></Column>
    </DataTable>`,
})
  .use(PrimeVue, { theme: { preset: Aura } })
  .mount("#root");
