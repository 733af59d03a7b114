/** How a run's browser identifies itself. */
export interface Identity {
  /** `navigator.userAgent`, and the header of every request. */
  userAgent: string;
  /** The client hints, which name the real browser. */
  brands: { brand: string; version: string }[];
  fullVersion: string;
}

/** The product token in robots.txt files. */
export const PRODUCT = "Gleaner";

/** @param userAgent the user agent string of the scraper, or else of the operator */
export function identityOf(browserVersion: string, userAgent: string | undefined): Identity {
  const major = browserVersion.split(".")[0] ?? "";
  return {
    userAgent:
      userAgent ??
      `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36 ${PRODUCT}/0.1`,
    brands: [
      { brand: "Chromium", version: major },
      { brand: "Not_A Brand", version: "8" },
    ],
    fullVersion: browserVersion,
  };
}

/** The identity as the browser takes it: otherwise its client hints would say that it is headless. */
export const identityOverride = ({ userAgent, brands, fullVersion }: Identity) => ({
  userAgent,
  userAgentMetadata: {
    brands,
    fullVersionList: brands.map(({ brand, version }) => ({
      brand,
      version: brand === "Chromium" ? fullVersion : `${version}.0.0.0`,
    })),
    platform: "Linux",
    platformVersion: "",
    architecture: "x86",
    model: "",
    mobile: false,
  },
});
