/** What a run's browser says that it is. */
export interface Identity {
  /** `navigator.userAgent`, and the header of every request. */
  userAgent: string;
  /** The client hints: they name the browser that it really is. */
  brands: { brand: string; version: string }[];
  fullVersion: string;
}

/** The name that robots.txt files know us by. */
export const PRODUCT = "Gleaner";

/** @param userAgent what the scraper, or else the operator, wants the browser to be called */
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

/** The same for the browser, which would otherwise call itself headless in its client hints. */
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
