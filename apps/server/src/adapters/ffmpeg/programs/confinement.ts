import { dirname } from 'node:path'

/** What keeps a program that reads hostile files from the rest of the machine. */
export interface Confinement {
  /** No network, and no files but the job's own. */
  isSandboxed: boolean
  /** What is put before the command line. */
  prefix(run: ConfinedRun): string[]
}

interface ConfinedRun {
  /** Its real path. */
  program: string
  /** The only one in which it may write. */
  folder: string
  /** Processor time, of all its threads together. */
  cpuSeconds: number
}

export interface Wrappers {
  nice?: string | undefined
  choom?: string | undefined
  prlimit?: string | undefined
  bwrap?: string | undefined
  setpriv?: string | undefined
}

/** Behind every request of the platform, ahead of nothing. */
const niceness = '10'
/** When memory runs out, the system ends a program with this before any other. */
const firstToEnd = '1000'

const gib = 2 ** 30
/**
 * Four encoders of a 1080p ladder need about 0.6 GiB; decoding 8K with all reference frames adds up to 3. A video can ask for
 * as much as there is: a gap of nine hours in its sound takes 3.
 */
const memoryBounds = { min: gib, max: 8 * gib }

/** What one program may take of the memory of this machine, which the server needs too. */
export const memoryLimit = (machineBytes: number): number =>
  Math.min(Math.max(Math.floor(machineBytes / 2), memoryBounds.min), memoryBounds.max)

/** Between being told to end and being killed, in processor time. */
const cpuGraceSeconds = 30

const limitsOf = (memoryBytes: number, cpuSeconds: number): string[] => [
  '--core=0',
  '--nofile=256',
  // A segment has about 5 MB.
  `--fsize=${gib}`,
  `--data=${memoryBytes}`,
  `--cpu=${cpuSeconds}:${cpuSeconds + cpuGraceSeconds}`,
]

/** Where Linux distributions keep programs and their libraries. */
const systemFolders = [
  '/usr',
  '/bin',
  '/lib',
  '/lib32',
  '/lib64',
  '/nix/store',
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
]

type Prefix = Confinement['prefix']

/** From the strictest to none. Which of them this machine permits is only known by trying. */
export function confinements(wrappers: Wrappers, memoryBytes: number): Confinement[] {
  const { nice, choom, prlimit, bwrap, setpriv } = wrappers
  const gentle = nice === undefined ? [] : [nice, '-n', niceness]
  const limited =
    (before: string[]): Prefix =>
    ({ cpuSeconds }) =>
      prlimit === undefined ? before : [...before, prlimit, ...limitsOf(memoryBytes, cpuSeconds), '--']
  const open = (prefix: Prefix): Confinement => ({ isSandboxed: false, prefix })
  const within = (outer: Prefix): Confinement[] => [
    ...(bwrap === undefined ? [] : inBubblewrap(outer, bwrap)),
    ...(setpriv === undefined ? [] : withoutPrivileges(outer, setpriv).map(open)),
    open(outer),
  ]
  return [
    ...(choom === undefined ? [] : within(limited([...gentle, choom, '-n', firstToEnd, '--']))),
    ...within(limited(gentle)),
    open(() => []),
  ]
}

/**
 * As in the sandbox, the program ends with us, even if we are killed, and gains no rights. Only root may give up its
 * capabilities.
 */
const withoutPrivileges = (outer: Prefix, setpriv: string): Prefix[] =>
  [['--bounding-set=-all', '--inh-caps=-all'], []].map((capabilities) => (run) => [
    ...outer(run),
    setpriv,
    ...['--pdeathsig', 'KILL', '--no-new-privs', ...capabilities, '--'],
  ])

/** Of its folder the program sees nothing but itself, unless it needs libraries there: it may be the folder of our secrets. */
const inBubblewrap = (outer: Prefix, bwrap: string): Confinement[] =>
  [(program: string) => program, dirname].map((visible) => ({
    isSandboxed: true,
    prefix: (run) => [
      ...outer(run),
      bwrap,
      '--unshare-all',
      '--die-with-parent',
      // A program of root would keep them, and could make the folders of the machine writable again.
      ...['--cap-drop', 'ALL'],
      ...[...systemFolders, visible(run.program)].flatMap((path) => ['--ro-bind-try', path, path]),
      // No --dev and no --proc: many containers refuse these mounts, and ffmpeg needs neither.
      ...['/dev/null', '/dev/urandom'].flatMap((path) => ['--dev-bind-try', path, path]),
      ...['--bind', run.folder, '/job', '--chdir', '/job'],
      // Everything else is in memory: what is written there would count for nobody.
      ...['--remount-ro', '/'],
      '--',
    ],
  }))
