/**
 * The section of a version in a changelog, without its heading.
 * @param tag such as v0.1.0
 * @param version that of package.json
 * @throws if the tag is not that of the version, or if the changelog has no dated section with text for it
 */
export function releaseNotes(changelog: string, tag: string, version: string): string {
  if (tag !== `v${version}`)
    throw new Error(
      `The tag is ${tag}, but package.json has the version ${version}. Tag the commit v${version}.`,
    );
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((one) => one.startsWith(`[${version}] - `));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## [${version}] - DATE". Add it.`);
  const [heading = "", ...lines] = section.split("\n");
  if (!/ - \d{4}-\d{2}-\d{2}$/.test(heading))
    throw new Error(
      `CHANGELOG.md says "## ${heading}". Replace the part after the version by the date of the release.`,
    );
  const notes = lines.join("\n").trim();
  if (notes === "")
    throw new Error(`The section of ${version} in CHANGELOG.md is empty. Write what users notice.`);
  return notes;
}
