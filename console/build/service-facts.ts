/** What a service on one machine tells its console in the page. A console on AWS is told nothing. */
export interface ServiceFacts {
  /** The address of a page with a list that the console offers as an example. */
  exampleUrl?: string | undefined;
  /** The data folder, if commands have to name it. */
  dataFolder?: string | undefined;
  /** The types of the proxies that are set up. */
  proxies?: string[] | undefined;
  /** Whether a proxy signs people in, so that the console needs no key. */
  signsOn?: boolean | undefined;
  /** Whether the console can set secrets. */
  setsSecrets?: boolean | undefined;
  /** Whether the service opens windows on the screen of whoever uses the console: only its own machine reaches it. */
  opensWindows?: boolean | undefined;
}

/** The name of the meta element with the facts, as JSON. */
export const FACTS = "gleaner-service";
