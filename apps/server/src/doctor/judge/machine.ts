import { type Finding, ok, problem, warning } from '../finding.ts'

const oldestNode = 24

export function judgeNode(version: string): Finding {
  const major = Number.parseInt(version, 10)
  return major >= oldestNode
    ? ok('Node', `Node ${version}.`)
    : problem(
        'Node',
        `Node ${version} cannot run the servers, which are TypeScript without a build.`,
        `Run them with Node ${oldestNode} or newer; \`npm ci\` installs one into node_modules.`,
      )
}

export interface PackageFacts {
  /** Packages that the server needs, by the lockfile; undefined if there is no lockfile. */
  needed: number | undefined
  missing: string[]
  /** Installed in another version than the lockfile says. */
  different: string[]
}

export function judgePackages({ needed, missing, different }: PackageFacts): Finding {
  const check = 'npm packages'
  const mend = 'Run `npm ci` in the folder of Atrium.'
  if (missing.length > 0) return problem(check, `Not installed: ${some(missing)}.`, mend)
  if (needed === undefined)
    return warning(check, 'There is no package-lock.json to compare with.', 'Install Atrium as a whole.')
  if (different.length > 0) return warning(check, `Not in the expected version: ${some(different)}.`, mend)
  return ok(check, `All ${needed} that the server needs are installed.`)
}

const some = (names: string[]): string =>
  names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`

export interface PortFacts {
  key: 'PORT' | 'METRICS_PORT'
  host: string
  port: number
  /** `atrium`: an Atrium server answers there. Otherwise why nothing can listen there. */
  state: 'free' | 'atrium' | { code: string }
}

export function judgePort({ key, host, port, state }: PortFacts): Finding {
  const place = `${host}:${port}`
  if (port === 0) return ok(key, 'Any free port.')
  if (state === 'free') return ok(key, `${place} is free.`)
  if (state === 'atrium') return ok(key, `Atrium runs on ${place}.`)
  if (state.code === 'EADDRINUSE')
    return problem(key, `Another program listens on ${place}.`, `Stop it, or choose another ${key}.`)
  const reason =
    state.code === 'EACCES'
      ? 'Choose a port above 1023, or let a proxy listen on this one.'
      : 'HOST must be an address of this machine.'
  return problem(key, `Nothing can listen on ${place} (${state.code}).`, reason)
}
