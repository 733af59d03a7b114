import { FACTS, type ServiceFacts } from "../build/service-facts.ts";

/** What the service has told in the page. */
export const serviceFacts = (): ServiceFacts => {
  const text = document.querySelector<HTMLMetaElement>(`meta[name="${FACTS}"]`)?.content;
  return text === undefined ? {} : (JSON.parse(text) as ServiceFacts);
};
