import vm from "node:vm";

/*
 * Jest compiles each module again for each test file, also its own ones, such as `expect`. With V8's code cache, which Jest
 * does not use, only the first test file of a worker pays for that. Modules themselves stay apart. V8 compares no more of
 * the source than its length, so the source is the key.
 */

const { compileFunction, SourceTextModule } = vm;
const functions = new Map<string, Buffer | undefined>();
const modules = new Map<string, Buffer>();

vm.compileFunction = (code, params, options) => {
  const cachedData = functions.get(code);
  if (cachedData) return compileFunction(code, params, { ...options, cachedData });
  const compiled = compileFunction(code, params, { ...options, produceCachedData: true });
  functions.set(code, compiled.cachedData);
  return compiled;
};

vm.SourceTextModule = class extends SourceTextModule {
  constructor(code: string, options?: vm.SourceTextModuleOptions) {
    const cachedData = modules.get(code);
    super(code, cachedData ? { ...options, cachedData } : options);
    // The types of Node.js know this method of scripts only.
    if (!cachedData) modules.set(code, (this as unknown as vm.Script).createCachedData());
  }
};
