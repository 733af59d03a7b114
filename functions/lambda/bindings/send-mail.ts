import { GetParameterCommand } from "@aws-sdk/client-ssm";
import { ValidationError } from "../../contract/validate.ts";
import { EgressError } from "../../egress/egress-error.ts";
import { createMailer, parseSmtpSettings, type SendMail } from "../../egress/requests/send-mail.ts";
import { smtpParameter } from "./environment.ts";
import { log } from "./observe.ts";
import { ssm } from "./ssm.ts";

let mailer: Promise<SendMail> | undefined;

/** Sends e-mail by the mail server in SSM. It is read once per process, and again if the read failed. */
export const sendMail: SendMail = async (mail) => {
  mailer ??= load().catch((error) => {
    mailer = undefined;
    throw error;
  });
  return (await mailer)(mail);
};

async function load(): Promise<SendMail> {
  const Name = smtpParameter();
  if (Name === undefined) throw new EgressError("connect_failed", "The service has no mail server any more");
  const { Parameter } = await ssm().send(new GetParameterCommand({ Name, WithDecryption: true }));
  try {
    return createMailer(parseSmtpSettings(Parameter?.Value ?? ""));
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    log.error("The settings of the mail server are invalid", { parameter: Name, problems: error.problems });
    throw new EgressError(
      "connect_failed",
      "The settings of the mail server are invalid. Ask the operator of the service to correct them; the log lists the errors",
    );
  }
}
