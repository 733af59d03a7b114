/** The data folder of commands that name none. */
export const defaultData = (): string => process.env.GLEANER_DATA || ".gleaner";
