/** An error that DynamoDB reports to its client. */
export class DynamoDbError extends Error {
  /** The name of the exception that the client throws, such as "ValidationException". */
  readonly type: string;
  /** Further fields of the error response. */
  readonly fields: Record<string, unknown>;

  constructor(type: string, message: string, fields: Record<string, unknown> = {}) {
    super(message);
    this.type = type;
    this.fields = fields;
  }
}

export const invalid = (message: string) => new DynamoDbError("ValidationException", message);

export const invalidParameter = (message: string) =>
  invalid(`One or more parameter values were invalid: ${message}`);
