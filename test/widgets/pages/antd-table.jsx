import { Table } from "antd";
import { show, useRecords } from "./shared/react.jsx";

const columns = [
  { title: "Name", dataIndex: "name", key: "name" },
  { title: "Office", dataIndex: "office", key: "office" },
  { title: "Age", dataIndex: "age", key: "age" },
];

show(() => <Table rowKey="id" columns={columns} dataSource={useRecords("/data/people")} />);
