import {
  Alert,
  AlertBatch,
  AlertChanges,
  AlertCredits,
  AlertData,
  AlertRun,
  AlertScraper,
  CreateHookRequest,
  Hook,
  HookAlert,
  HookDisabled,
  HookEventType,
  HookFormat,
  HookWithAlerts,
} from "../contract/hooks/hook.ts";
import { HookList } from "../contract/hooks/hook-routes.ts";

/** The named schemas of hooks and alerts. */
export const hookDefinitions = {
  Hook,
  HookList,
  HookWithAlerts,
  HookAlert,
  HookDisabled,
  HookEventType,
  HookFormat,
  CreateHookRequest,
  Alert,
  AlertData,
  AlertScraper,
  AlertRun,
  AlertChanges,
  AlertBatch,
  AlertCredits,
};
