import { DynamoDBClient } from "@aws-sdk/client-dynamodb";

export const TABLE_NAME = "gleaner";

/** The emulators accept any credentials. */
export const emulatorOptions = (endpoint: string) => ({
  endpoint,
  region: "us-east-1",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
});

export const dynamoDbClient = (endpoint: string) => new DynamoDBClient(emulatorOptions(endpoint));
