import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from "n8n-workflow";

/** How n8n reaches a Gleaner service. */
export class GleanerApi implements ICredentialType {
  name = "gleanerApi";
  displayName = "Gleaner API";
  icon: Icon = "file:../icons/gleaner.svg";
  properties: INodeProperties[] = [
    {
      displayName: "Base URL",
      name: "baseUrl",
      type: "string",
      default: "http://127.0.0.1:4000",
      placeholder: "https://gleaner.example.com",
      description: "The address of the service, without /v1",
      required: true,
    },
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      default: "",
      description: "A key of the account. The local service keeps one in .gleaner/credentials.json.",
      required: true,
    },
    {
      displayName: "Webhook Secret",
      name: "webhookSecret",
      type: "string",
      typeOptions: { password: true },
      default: "",
      description:
        "Only for the Gleaner Trigger: what the command gleaner webhook secret prints. While a secret is being changed, both, with a space between them.",
    },
  ];
  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { authorization: "=Bearer {{$credentials.apiKey}}" } },
  };
  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl.replace(/\\/$/, "")}}', url: "/v1/account" },
  };
}
