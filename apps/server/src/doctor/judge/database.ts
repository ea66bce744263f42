import { type Finding, ok, problem, warning } from '../finding.ts'

interface MigrationFacts {
  /** What this version of Atrium has. */
  known: string[]
  /** What the database has run; undefined if it is empty. */
  applied: string[] | undefined
  /** Whether we may not read what has been run. */
  isHidden?: boolean
}

function judgeMigrations({ known, applied, isHidden }: MigrationFacts): Finding {
  const check = 'migrations'
  if (isHidden)
    return problem(check, 'The user may not read which have been run.', 'Grant SELECT on atrium_migration.')
  if (applied === undefined) return ok(check, 'The database is empty. The first start creates the tables.')
  const newer = applied.filter((name) => !known.includes(name))
  const missing = known.filter((name) => !applied.includes(name))
  if (newer.length > 0 && missing.length > 0)
    return problem(
      check,
      `The database is from a newer version of Atrium: ${newer.join(', ')}.`,
      'Run that version, or restore the backup from before the upgrade.',
    )
  if (newer.length > 0)
    return warning(
      check,
      `A newer version of Atrium has migrated the database: ${newer.join(', ')}.`,
      'Fine for the release directly before it, during an update or after going back. Otherwise run that version.',
    )
  if (missing.length > 0)
    return problem(
      check,
      `${missing.length} of ${known.length} have not been run, from ${missing[0]} on.`,
      'Run `npm run migrate`, or start the server, which does the same.',
    )
  return ok(check, `All ${known.length} have been run.`)
}

export type PostgresFacts =
  | { kind: 'unreachable'; code: string }
  | {
      kind: 'reached'
      /** As `server_version_num`: 150018. */
      version: number
      mayCreate: boolean
      /** Tables of ours that we may not read and write. */
      closedTables: string[]
      isReadOnly: boolean
      freeConnections: number
      migrations: MigrationFacts
    }

/** The tests run with this one. */
const testedMajor = 15
/** Ten, two for reports, one for snapshots. */
const connectionsOfAnInstance = 13

export function judgePostgres(facts: PostgresFacts): Finding[] {
  if (facts.kind === 'unreachable') return [judgeRefusal(facts.code)]
  const major = Math.floor(facts.version / 10_000)
  return [
    major < testedMajor
      ? warning(
          'database',
          `PostgreSQL ${major} answers; Atrium is tested with ${testedMajor}.`,
          `Plan an upgrade to PostgreSQL ${testedMajor} or newer.`,
        )
      : ok('database', `PostgreSQL ${major} answers.`),
    ...judgeRights(facts),
    ...(facts.freeConnections < connectionsOfAnInstance
      ? [
          warning(
            'database connections',
            `PostgreSQL has ${facts.freeConnections} connections left, and an instance needs ${connectionsOfAnInstance}.`,
            'Unless they are those of this instance, raise max_connections.',
          ),
        ]
      : []),
    judgeMigrations(facts.migrations),
  ]
}

function judgeRefusal(code: string): Finding {
  const unreachable = 'The database cannot be reached'
  const refusals: Record<string, [string, string]> = {
    '28P01': ['The database refuses the password.', 'Correct the user or password in DATABASE_URL.'],
    '28000': [
      'The database lets this user in from nowhere, or not from this machine.',
      'Correct the user in DATABASE_URL, or allow it in pg_hba.conf.',
    ],
    '3D000': [
      'The database that DATABASE_URL names does not exist.',
      'Create it, or correct the name at the end of DATABASE_URL.',
    ],
    '53300': ['The database has no connection left.', 'Raise max_connections, or run fewer instances.'],
    ENOTFOUND: [`${unreachable}: the name of its host is unknown.`, 'Correct the host in DATABASE_URL.'],
    URIError: [
      'DATABASE_URL has a % that encodes nothing.',
      'Write every % of the user and the password as %25.',
    ],
    ECONNREFUSED: [
      `${unreachable}: nothing listens there.`,
      'Start PostgreSQL, or correct host and port in DATABASE_URL.',
    ],
  }
  const [found, mend] = refusals[code] ?? [
    `${unreachable} (${code}).`,
    'Check host, port, TLS and the firewall in between.',
  ]
  return problem('database', found, mend)
}

function judgeRights(facts: Extract<PostgresFacts, { kind: 'reached' }>): Finding[] {
  const check = 'database rights'
  const findings = [
    ...(facts.isReadOnly
      ? [
          problem(
            check,
            'The database accepts no writes: it is a standby, or read-only by its settings.',
            'Let DATABASE_URL name the primary.',
          ),
        ]
      : []),
    ...(facts.mayCreate
      ? []
      : [
          problem(
            check,
            'The user may not create tables, so migrations will fail.',
            'Grant CREATE on the schema, or run migrations as its owner with `npm run migrate`.',
          ),
        ]),
    ...(facts.closedTables.length > 0
      ? [
          problem(
            check,
            `The user may not read and write: ${facts.closedTables.slice(0, 5).join(', ')}.`,
            'Grant SELECT, INSERT, UPDATE and DELETE on all tables of Atrium.',
          ),
        ]
      : []),
  ]
  return findings.length > 0 ? findings : [ok(check, 'The user may create, read and write tables.')]
}

export type SqliteFacts =
  | { kind: 'absent' }
  | { kind: 'unreadable'; code: string }
  | { kind: 'read'; migrations: MigrationFacts }

export function judgeSqlite(facts: SqliteFacts): Finding[] {
  if (facts.kind === 'absent')
    return [ok('database', 'SQLite. There is no database yet; the first start creates it.')]
  if (facts.kind === 'unreadable')
    return [
      problem(
        'database',
        `atrium.db cannot be read (${facts.code}).`,
        facts.code === 'SQLITE_NOTADB' || facts.code === 'SQLITE_CORRUPT'
          ? 'It is damaged. Stop the server and restore a backup.'
          : 'Give it to the user of the server.',
      ),
    ]
  return [ok('database', 'SQLite, in atrium.db.'), judgeMigrations(facts.migrations)]
}
