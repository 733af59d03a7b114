interface Answer {
  status: number;
}

/**
 * Returns a function that answers an inspection of the shop as it was answered the first time: the shop never changes,
 * and many tests start from the same page of it. Other inspections, and failed requests, are not remembered.
 */
export function rememberInspections<T extends Answer>(
  shopUrl: string,
): (question: string, ask: () => Promise<T>) => Promise<T> {
  const { host } = new URL(shopUrl);
  const answers = new Map<string, Promise<T>>();
  return async (question, ask) => {
    if (!question.includes(host)) return ask();
    const known = answers.get(question);
    if (known !== undefined) return known;
    const asked = ask();
    answers.set(question, asked);
    const isKept = await asked.then(
      ({ status }) => status === 200,
      () => false,
    );
    if (!isKept) answers.delete(question);
    return asked;
  };
}
