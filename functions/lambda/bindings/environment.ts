// No other module reads the environment. No variable is read at import.

/** @throws Error if the variable is not set */
const read = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
};

export const tableName = () => read("TABLE_NAME");
export const runsQueueUrl = () => read("RUNS_QUEUE_URL");
export const webhooksQueueUrl = () => read("WEBHOOKS_QUEUE_URL");
export const batchesQueueUrl = () => read("BATCHES_QUEUE_URL");

/** The bucket with the files of runs. */
export const filesBucket = () => read("FILES_BUCKET");

/** Name of the SSM parameter that lists the upstream proxies; undefined if the service has none. */
export const proxiesParameter = () => process.env.PROXIES_PARAMETER;

/** The base URL of the API. */
export const baseUrl = () => read("BASE_URL");

/** Name of the SSM parameter with the mail server; undefined if the service sends no e-mail. */
export const smtpParameter = () => process.env.SMTP_PARAMETER;

/** The base URL of the console; undefined if the stack has none. */
export const consoleUrl = () => process.env.CONSOLE_URL;

/** Name of the function that reads an account's secrets. */
export const secretsFunction = () => read("SECRETS_FUNCTION");

/** Name of the function that runs inspections. */
export const inspectorFunction = () => read("INSPECTOR_FUNCTION");

/** Path of the SSM parameters that hold the accounts' secrets. */
export const secretsPath = () => read("SECRETS_PATH");

/** `host:port` pairs that scrapers and webhooks may reach in addition to public hosts on the usual ports. */
export const allowHosts = () => process.env.ALLOW_HOSTS?.split(",") ?? [];

/** The user agent for scrapers that set none; undefined for the default of the engine. */
export const userAgent = () => process.env.USER_AGENT;

/** Whether to measure the stages of runs. */
export const isTracing = () => process.env.GLEANER_TRACE === "1";

/** How many days runs are kept; undefined if they are kept for ever. */
export const runDays = () => (process.env.RUN_DAYS ? Number(process.env.RUN_DAYS) : undefined);

/** Group, target, role and dead-letter queue of all schedules. */
export const scheduleTarget = () => ({
  group: read("SCHEDULE_GROUP"),
  targetArn: read("SCHEDULE_TARGET_ARN"),
  roleArn: read("SCHEDULE_ROLE_ARN"),
  deadLetterArn: read("SCHEDULE_DEAD_LETTERS_ARN"),
});

/** The name of the service in logs, traces and metrics. */
export const serviceName = () => process.env.POWERTOOLS_SERVICE_NAME ?? "";

/** The X-Ray trace header of the current execution; empty if there is none. */
export const traceHeader = () => process.env._X_AMZN_TRACE_ID ?? "";

/** `host:port` of the X-Ray daemon. */
export const xRayDaemon = () => process.env.AWS_XRAY_DAEMON_ADDRESS ?? "127.0.0.1:2000";

/** The handler of this function, as `file.export`. */
export const nameOfHandler = () => process.env._HANDLER ?? "";

/** The folder into which Lambda has unpacked this function. */
export const taskRoot = () => read("LAMBDA_TASK_ROOT");

/** The credentials of the function's role. They stay the same for the life of the process. */
export const roleCredentials = () => ({
  accessKeyId: read("AWS_ACCESS_KEY_ID"),
  secretAccessKey: read("AWS_SECRET_ACCESS_KEY"),
  ...(process.env.AWS_SESSION_TOKEN && { sessionToken: process.env.AWS_SESSION_TOKEN }),
});
