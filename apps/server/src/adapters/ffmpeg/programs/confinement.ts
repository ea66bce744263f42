import { dirname } from 'node:path'

/** What keeps a program that reads hostile files from the rest of the machine. */
export interface Confinement {
  /** No network, and no files but the job's own. */
  isSandboxed: boolean
  /** What is put before the command line. */
  prefix(program: string, folder: string): string[]
}

export interface Wrappers {
  nice?: string | undefined
  prlimit?: string | undefined
  bwrap?: string | undefined
  setpriv?: string | undefined
}

/** Behind every request of the platform, ahead of nothing. */
const niceness = '10'

const gib = 2 ** 30
/**
 * Four encoders of a 1080p ladder need about 0.6 GiB; decoding 8K with all reference frames adds up to 3. A segment
 * has about 5 MB.
 */
const resourceLimits = ['--core=0', '--nofile=256', `--fsize=${gib}`, `--data=${8 * gib}`]

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

/** From the strictest to none. Which of them this machine permits is only known by trying. */
export function confinements({ nice, prlimit, bwrap, setpriv }: Wrappers): Confinement[] {
  const gentle = nice === undefined ? [] : [nice, '-n', niceness]
  const limited = prlimit === undefined ? gentle : [...gentle, prlimit, ...resourceLimits, '--']
  const open = (prefix: string[]): Confinement => ({ isSandboxed: false, prefix: () => prefix })
  return [
    ...(bwrap === undefined ? [] : [inBubblewrap(limited, bwrap)]),
    // As in the sandbox, the program ends with us, even if we are killed.
    ...(setpriv === undefined ? [] : [open([...limited, setpriv, '--pdeathsig', 'KILL', '--'])]),
    open(limited),
    open([]),
  ]
}

const inBubblewrap = (limited: string[], bwrap: string): Confinement => ({
  isSandboxed: true,
  prefix: (program, folder) => [
    ...limited,
    bwrap,
    '--unshare-all',
    '--die-with-parent',
    ...['--tmpfs', '/tmp'],
    ...[...systemFolders, dirname(program)].flatMap((path) => ['--ro-bind-try', path, path]),
    // No --dev and no --proc: many containers refuse these mounts, and ffmpeg needs neither.
    ...['/dev/null', '/dev/urandom'].flatMap((path) => ['--dev-bind-try', path, path]),
    ...['--bind', folder, '/job', '--chdir', '/job'],
    '--',
  ],
})
