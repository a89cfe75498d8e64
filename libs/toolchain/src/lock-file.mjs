/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {Record<string, string>} [optionalDependencies] what the package would like to have: names and versions
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 */

/** @typedef {Record<string, LockedPackage>} LockedPackages by path, as `packages` of a package-lock.json has them */

/** How packages are named that carry a build for one platform: `…-linux-x64-musl`, `…/darwin-arm64`. */
const platform =
  /[-/](android|darwin|freebsd|linux|openharmony|win32)-(arm64|arm|ia32|loong64|ppc64|riscv64|s390x|x64)(?:-(\w+))?$/;

/**
 * Adds the builds for other platforms that a lock file lacks. npm leaves them out when the registry at hand does not carry
 * them, and `npm ci` then refuses the lock file everywhere. An entry without `integrity` locks the version alone; only
 * machines of its platform ever fetch it.
 *
 * @param {LockedPackages} packages
 * @returns {LockedPackages} in npm's order
 * @throws when what lacks is named after no platform: npm alone knows where that is needed
 */
export function withEveryPlatform(packages) {
  /** @type {LockedPackages} */
  const added = {};
  for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const places = [`node_modules/${name}`, `${path}/node_modules/${name}`];
      if (places.some((place) => place in packages)) continue;
      const place = places.find((free) => (added[free]?.version ?? version) === version) ?? '';
      const { os, cpu, libc } = platformOf(name);
      added[place] = { version, cpu, ...(dev && { dev }), ...(libc && { libc }), optional: true, os };
    }
  }
  const all = Object.entries({ ...packages, ...added });
  return Object.fromEntries(all.toSorted(([one], [other]) => one.localeCompare(other, 'en')));
}

/** @param {string} name */
function platformOf(name) {
  const [, os, cpu, abi] = platform.exec(name) ?? [];
  if (!os || !cpu)
    throw new Error(`package-lock.json lacks ${name}: install again from a registry that carries it.`);
  const libc = os !== 'linux' ? undefined : abi?.startsWith('musl') ? 'musl' : 'glibc';
  return { os: [os], cpu: [cpu], libc: libc && [libc] };
}
