import { type Finding, ok, problem, warning } from '../finding.ts'

export interface DiskFacts {
  /** The key of the configuration, such as DATA_DIR. */
  key: string
  folder: string
  /** Of the file system; undefined if it does not say. */
  freeBytes: number | undefined
  /** As statfs(2) numbers them. */
  fileSystem: number | undefined
  /** The code of the error when a megabyte is written there; undefined if that works. */
  writeError: string | undefined
  /** Whether SQLite keeps its file there. */
  hasDatabase: boolean
}

/** By the magic numbers of statfs(2). SQLite's locks and its shared memory do not work across machines. */
const networkFileSystems = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0xc36400, 'Ceph'],
  [0xbd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x5346414f, 'AFS'],
])
/** May be a network file system or not: sshfs, GlusterFS, s3fs, but also encrypted folders. */
const fuse = 0x65735546

const mib = 2 ** 20
const minFreeBytes = 256 * mib
const littleFreeBytes = 2048 * mib

export function judgeDisk(facts: DiskFacts): Finding[] {
  return [judgeWriting(facts), ...judgeSpace(facts), ...judgeFileSystem(facts)]
}

function judgeWriting({ key, folder, writeError }: DiskFacts): Finding {
  switch (writeError) {
    case undefined:
      return ok(key, `Files can be written in ${folder}.`)
    case 'ENOSPC':
    case 'EDQUOT':
      return problem(key, `${folder} is full.`, 'Free space there, or move the folder to a larger disk.')
    case 'EROFS':
      return problem(
        key,
        `${folder} is on a file system that is mounted read-only.`,
        'Mount it with write access. If it has become read-only by itself, look for errors of the disk.',
      )
    case 'ENOTDIR':
    case 'EEXIST':
      return problem(key, `${folder} is not a folder.`, `Set ${key} to a folder.`)
    default:
      return problem(
        key,
        `Nothing can be written in ${folder} (${writeError}).`,
        'Give the folder to the user of the server.',
      )
  }
}

function judgeSpace({ key, folder, freeBytes, writeError }: DiskFacts): Finding[] {
  if (freeBytes === undefined || writeError === 'ENOSPC') return []
  const free = `${Math.floor(freeBytes / mib).toLocaleString('en')} MiB are free in ${folder}`
  if (freeBytes < minFreeBytes)
    return [problem(key, `Only ${free}.`, 'Free space there, or move the folder to a larger disk.')]
  if (freeBytes < littleFreeBytes)
    return [warning(key, `${free}.`, 'Videos need about three times the size of their originals.')]
  return [ok(key, `${free}.`)]
}

function judgeFileSystem({ key, folder, fileSystem, hasDatabase }: DiskFacts): Finding[] {
  if (fileSystem === undefined || !hasDatabase) return []
  const network = networkFileSystems.get(fileSystem)
  if (network !== undefined)
    return [
      problem(
        key,
        `${folder} is on ${network}, where the database file can be damaged.`,
        `Set ${key} to a folder on a local disk, or use PostgreSQL.`,
      ),
    ]
  if (fileSystem === fuse)
    return [
      warning(
        key,
        `${folder} is on a FUSE file system, which may be a network file system.`,
        'If it is, choose a folder on a local disk: the database file can be damaged.',
      ),
    ]
  return []
}
