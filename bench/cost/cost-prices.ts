/**
 * Published list prices in us-east-1, USD, written down from memory in November 2026 without a look at the pages: check
 * each against the page named before a decision rests on it. `free`: what AWS gives each account each month for ever.
 */
export const prices = {
  /** aws.amazon.com/lambda/pricing */
  lambdaArmGbSecond: 0.000_013_333_4,
  lambdaX86GbSecond: 0.000_016_666_7,
  lambdaRequest: 0.2e-6,
  /** aws.amazon.com/api-gateway/pricing: REST API; a streamed response counts once for each 10 MB */
  apiRequest: 3.5e-6,
  /** aws.amazon.com/dynamodb/pricing: on demand, standard table class */
  dynamoWriteUnit: 0.625e-6,
  dynamoReadUnit: 0.125e-6,
  dynamoGbMonth: 0.25,
  dynamoBackupGbMonth: 0.2,
  /** aws.amazon.com/sqs/pricing: standard queue; and what is added for a message that carries a group */
  sqsRequest: 0.4e-6,
  sqsGroup: 0.1e-6,
  /** aws.amazon.com/cloudwatch/pricing */
  logGb: 0.5,
  logGbMonth: 0.03,
  metricMonth: 0.3,
  /** aws.amazon.com/xray/pricing */
  trace: 5e-6,
  /** aws.amazon.com/ec2/pricing/on-demand: to the internet, first 10 TB */
  trafficGb: 0.09,
  /** aws.amazon.com/cloudfront/pricing/pay-as-you-go: United States and Europe, HTTPS */
  cloudFrontRequest: 1e-6,
  cloudFrontFunction: 0.1e-6,
  cloudFrontGb: 0.085,
  /** aws.amazon.com/s3/pricing: S3 Standard */
  s3GbMonth: 0.023,
} as const;

export const free = {
  lambdaRequests: 1e6,
  lambdaGbSeconds: 400_000,
  dynamoGb: 25,
  sqsRequests: 1e6,
  logGb: 5,
  metrics: 10,
  traces: 100_000,
  trafficGb: 100,
  cloudFrontRequests: 1e7,
  cloudFrontFunctions: 2e6,
  cloudFrontGb: 1_000,
} as const;

/** A hosted service's plans: what a month costs that takes so many units. */
export interface Peer {
  name: string;
  /** What it counts, and how many of them a run of these pages takes. */
  unitsPerRun: number;
  /** USD and units a month of each plan, and the price of a unit beyond it. */
  plans: { usd: number; units: number; usdPerMore: number }[];
}

/** Plans as published in 2025 and 2026, from memory as well. */
export const peers = (pagesPerRun: number): Peer[] => [
  {
    // firecrawl.dev/pricing: one credit a page; beyond the largest public plan at that plan's price of a credit
    name: "Firecrawl, credits",
    unitsPerRun: pagesPerRun,
    plans: [
      { usd: 19, units: 3_000, usdPerMore: Number.POSITIVE_INFINITY },
      { usd: 99, units: 100_000, usdPerMore: Number.POSITIVE_INFINITY },
      { usd: 399, units: 500_000, usdPerMore: Number.POSITIVE_INFINITY },
      { usd: 749, units: 1_000_000, usdPerMore: 749 / 1_000_000 },
    ],
  },
  {
    // apify.com/pricing: a compute unit is a GB-hour; its own guide reckons 400 browser pages for one
    name: "Apify, browser crawler",
    unitsPerRun: pagesPerRun / 400,
    plans: [
      { usd: 39, units: 39 / 0.3, usdPerMore: 0.3 },
      { usd: 199, units: 199 / 0.25, usdPerMore: 0.25 },
      { usd: 999, units: 999 / 0.2, usdPerMore: 0.2 },
    ],
  },
];
