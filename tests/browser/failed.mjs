// A test reporter that prints the files of failed tests, for .ci/browser.
export default async function* (events) {
  const files = new Set();
  for await (const { type, data } of events) if (type === "test:fail" && data.file) files.add(data.file);
  for (const file of files) yield `${file}\n`;
}
