import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { readConfig } from "../lib/config.ts";
import { GleanerStack } from "../lib/gleaner-stack.ts";

const app = new App();
const config = readConfig(app.node);
new GleanerStack(app, `gleaner-${config.stage}`, { config });
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
