/// <reference lib="dom" />
import { answer } from "../answers.ts";
import { type Choice, chooseControl, markControl } from "../controls.ts";
import { settle } from "../host.ts";
import { addressOf, isDisabled, press } from "../press.ts";
import type {
  Control,
  ControlFound,
  ControlLook,
  ControlRequest,
  Json,
  LeaveAnswer,
  Left,
  ListAnswer,
  PreloadedPage,
  PressAndRead,
  PressAnswer,
  ReadAndLeave,
} from "../protocol.ts";
import { hasUnread, type Leaving, readList, readStorageState, rowsOf } from "./read-list.ts";

/** Pressing the control of a list, alone or together with reading the list: that saves a round trip. */

/** Presses a control, and reads the rows that this adds. */
export async function pressAndRead({ press: control, ...request }: PressAndRead): Promise<Json<ListAnswer>> {
  // Rows that came since the last answer are read before more are asked for.
  if (!hasUnread(request)) {
    const pressed = press(chooseControl(control));
    if (pressed === "ambiguous" || pressed === "no_control" || pressed === "disabled")
      return answer({ state: pressed });
    await settle({ acted: true });
  }
  return readList(request);
}

/** Reads a list, and presses a control that leads to another document. */
export async function readAndLeave({ leave, ...request }: ReadAndLeave): Promise<Json<LeaveAnswer>> {
  let left: Left | null = null;
  const leaving: Leaving = {
    go() {
      left = tryToLeave(leave);
    },
    stay() {
      if (left?.result === "leaving") window.stop();
      left = null;
    },
  };
  const read = await rowsOf(request, leaving).catch((error) => {
    leaving.stay();
    throw error;
  });
  return answer({ ...read, left });
}

/**
 * Presses a control that leads to another document, and no other: that may change what the rows say, by a style rule.
 * Errors are ignored so that the rows are not lost; a later press reports them.
 */
function tryToLeave(control: Control): Left | null {
  if (document.readyState === "loading") return null;
  try {
    const chosen = chooseControl(control);
    // For an exact fit, the effect of the press is all that the answer needs.
    if (chosen.fit !== null && chosen.fit !== "exact") return null;
    const { element } = chosen;
    const target = element && addressOf(element);
    if (element && target === null && !isDisabled(element)) return null;
    const result = press(chosen, true);
    return result === "elsewhere" || result === "ambiguous" ? null : { result, target };
  } catch {
    return null;
  }
}

const foundOf = ({ exists, fit, name, rivals }: Choice): ControlFound => ({ exists, fit, name, rivals });

export function pressControl({ onlyHere, preloaded, ...control }: ControlRequest): PressAnswer {
  const chosen = chooseControl(control);
  const address = chosen.element && addressOf(chosen.element);
  const wasKept = preloaded && keepDocument(preloaded);
  const how = press(chosen, onlyHere);
  return { ...foundOf(chosen), address, how: wasKept?.() ? "kept" : how };
}

/** Looks for a control, and marks it. */
export function lookAtControl(control: ControlRequest): ControlLook {
  const chosen = chooseControl(control);
  const { element } = chosen;
  markControl(chosen);
  return {
    ...foundOf(chosen),
    isDisabled: element !== null && isDisabled(element),
    address: element && addressOf(element),
  };
}

/**
 * Keeps this document: cancels its next navigation if that leads to the preloaded page, and if nothing has changed that this
 * page could see.
 * @returns a function that stops this, and returns whether the document was kept
 */
function keepDocument({ address, storageState }: PreloadedPage): () => boolean {
  let isKept = false;
  const onNavigate = (event: NavigateEvent) => {
    isKept =
      event.destination.url === address &&
      event.cancelable &&
      event.formData === null &&
      !event.defaultPrevented &&
      readStorageState() === storageState;
    if (isKept) event.preventDefault();
  };
  navigation.addEventListener("navigate", onNavigate);
  return () => {
    navigation.removeEventListener("navigate", onNavigate);
    return isKept;
  };
}
