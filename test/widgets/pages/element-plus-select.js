import "element-plus/dist/index.css";
import { ElOption, ElSelect } from "element-plus";
import { createApp, ref } from "vue";
import { genres } from "../data.ts";
import { Books } from "./shared/vue.js";

createApp({
  components: { ElSelect, ElOption, Books },
  setup: () => ({ value: ref(""), genres }),
  template: `
    <el-select v-model="value" placeholder="Select" style="width: 240px">
      <el-option v-for="genre in genres" :key="genre" :label="genre" :value="genre" />
    </el-select>
    <Books :genre="value" />`,
}).mount("#root");
