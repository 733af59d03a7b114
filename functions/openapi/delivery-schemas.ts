import {
  Delivery,
  FolderDelivery,
  GoogleSheetsDelivery,
  PostgresDelivery,
  RowsDelivery,
  S3Delivery,
} from "../contract/scrapers/delivery.ts";

/** The named schemas of destinations. */
export const deliveryDefinitions = {
  Delivery,
  FolderDelivery,
  S3Delivery,
  PostgresDelivery,
  GoogleSheetsDelivery,
  RowsDelivery,
};
