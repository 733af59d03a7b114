import "element-plus/dist/index.css";
import { ElPagination, ElTable, ElTableColumn } from "element-plus";
import { createApp, ref } from "vue";
import { useRecords } from "./shared/vue.js";

createApp({
  components: { ElTable, ElTableColumn, ElPagination },
  setup() {
    const page = ref(1);
    return { page, books: useRecords(() => `/data/books?limit=10&offset=${(page.value - 1) * 10}`) };
  },
  template: `
    <el-table :data="books" style="width: 100%">
      <el-table-column prop="title" label="Title" width="280" />
      <el-table-column prop="author" label="Author" width="200" />
      <el-table-column prop="price" label="Price" />
    </el-table>
    <el-pagination background layout="prev, pager, next" :total="96" v-model:current-page="page" />`,
}).mount("#root");
