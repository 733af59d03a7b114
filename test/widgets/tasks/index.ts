import type { Task } from "../task.ts";
import { apps } from "./apps.ts";
import { fields } from "./fields.ts";
import { overlays } from "./overlays.ts";
import { serverRendered } from "./server-rendered.ts";
import { tables } from "./tables.ts";

export const tasks: readonly Task[] = [...tables, ...serverRendered, ...overlays, ...fields, ...apps];
