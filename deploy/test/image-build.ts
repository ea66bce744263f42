import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { findProgram } from '@atrium/testkit'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Debian packages that build an image without Docker and without a registry of images. */
export const buildPrograms = [
  { program: 'buildah', package: 'buildah' },
  { program: 'debootstrap', package: 'debootstrap' },
]

/** What the image itself says about how it is run. */
export interface ImageConfig {
  User: string
  WorkingDir: string
  Entrypoint: string[]
  Cmd: string[]
  Env: string[]
}

/**
 * Builds images with `buildah` in a folder of its own. No base image can be pulled here, so both are made from Debian's
 * packages: they stand for `debian:bookworm-slim` and `node:24-bookworm-slim`.
 */
export function createBuilder() {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-image-'))
  const storage = [
    '--root',
    join(folder, 'store'),
    '--runroot',
    join(folder, 'run'),
    '--storage-driver',
    'vfs',
  ]
  const buildah = (...args: string[]) => run('buildah', [...storage, ...args])

  async function createBases(): Promise<void> {
    const system = join(folder, 'debian')
    await run('debootstrap', ['--variant=minbase', 'bookworm', system])
    await commit(system, 'base', [])
    addNode(system)
    await commit(system, 'node', certificatesIn(system))
    rmSync(system, { recursive: true })
  }

  async function commit(system: string, name: string, environment: string[]): Promise<void> {
    const container = await buildah('from', 'scratch')
    await buildah('add', '--quiet', container, system, '/')
    const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
    await buildah('config', ...[path, ...environment].flatMap((entry) => ['--env', entry]), container)
    // With its whole name: Debian's list of short names says that `node` is the one of Docker Hub.
    await buildah('commit', '--quiet', container, `localhost/${name}`)
    await buildah('rm', container)
  }

  return {
    createBases,
    /** Runs the Dockerfile from its first line, without anything from an earlier build. */
    async build(name: string, target?: string): Promise<void> {
      const images = { NODE_IMAGE: 'localhost/node', BASE_IMAGE: 'localhost/base' }
      await buildah(
        ...['bud', '--isolation', 'chroot', '--pull-never', '--no-cache', '--file', 'deploy/Dockerfile'],
        ...Object.entries(images).flatMap(([key, image]) => ['--build-arg', `${key}=${image}`]),
        ...(target === undefined ? [] : ['--target', target]),
        ...['--tag', name, root],
      )
    },
    async configOf(name: string): Promise<ImageConfig> {
      return JSON.parse(await buildah('inspect', '--type', 'image', name)).OCIv1.config
    },
    /** A folder with everything that is in the image. */
    async unpack(name: string): Promise<string> {
      const container = await buildah('from', '--pull-never', name)
      return await buildah('mount', container)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The Node that runs this, which is that of package-lock.json, and this machine's npm. */
function addNode(system: string): void {
  const npm = findProgram('npm')
  if (npm === undefined) throw new Error('npm is not on the PATH')
  const npmFolder = dirname(dirname(realpathSync(npm)))
  cpSync(process.execPath, join(system, 'usr/local/bin/node'))
  cpSync(npmFolder, join(system, 'usr/local/lib/node_modules/npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(system, 'usr/local/bin/npm'))
}

/** Some machines reach npm's registry only through a proxy with a certificate of its own. */
function certificatesIn(system: string): string[] {
  const bundle = process.env.NODE_EXTRA_CA_CERTS
  if (bundle === undefined || !existsSync(bundle)) return []
  mkdirSync(join(system, 'etc/ssl/certs'), { recursive: true })
  cpSync(bundle, join(system, 'etc/ssl/certs/build.crt'), { dereference: true })
  return ['NODE_EXTRA_CA_CERTS=/etc/ssl/certs/build.crt']
}

/** Standard output, trimmed. */
async function run(program: string, args: string[]): Promise<string> {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  )
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (code !== 0)
    throw new Error(`${program} ${args.join(' ')} failed (${code}):\n${(output + errors).slice(-8_000)}`)
  return output.trim()
}
