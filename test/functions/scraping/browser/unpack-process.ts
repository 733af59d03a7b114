import { installChromium } from "../../../../functions/scraping/browser/install.ts";

/** Unpacks the browser into the folder that it is given, and says where it is. */
console.log((await installChromium(process.argv[2] as string)).executablePath);
