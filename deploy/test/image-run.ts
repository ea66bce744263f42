import { tmpdir } from 'node:os'
import { type Program, startProgram, waitUntil } from '@atrium/testkit'
import type { ImageConfig } from './image-build.ts'

export interface Image {
  /** A folder with everything that is in the image. */
  folder: string
  config: ImageConfig
}

/**
 * Mounts the image read-only, with what a cluster would mount into it, and gives everything up: root, all capabilities,
 * and the chance to gain any. In its own mount namespace, so nothing remains after it.
 */
const enter = `set -e
image=$1 user=$2 group=$3 workdir=$4; shift 4
mount --bind "$image" "$image"
mount -t tmpfs -o mode=1777 tmpfs "$image/tmp"
mount -t tmpfs -o "mode=0700,uid=$user,gid=$group" tmpfs "$image/data"
mount --rbind /dev "$image/dev"
mount -t proc proc "$image/proc"
mount -o remount,ro,bind "$image"
exec /usr/sbin/chroot "$image" setpriv --reuid "$user" --regid "$group" --clear-groups --inh-caps=-all --bounding-set=-all \\
  --no-new-privs env --chdir="$workdir" "$@"`

function startInside({ folder, config }: Image, command: string[], env: Record<string, string>): Program {
  const [user = '', group = user] = config.User.split(':')
  return startProgram('/usr/bin/unshare', {
    args: ['--mount', 'bash', '-c', enter, 'enter', folder, user, group, config.WorkingDir, ...command],
    cwd: tmpdir(),
    env: { ...Object.fromEntries(config.Env.map((entry) => entry.split(/=(.*)/s, 2))), ...env },
  })
}

/** Starts a program of the image as a container engine would: the entry point with other arguments. */
export async function startContainer(image: Image, args: string[], env: Record<string, string>) {
  const program = startInside(image, [...image.config.Entrypoint, ...args], {
    HOST: '127.0.0.1',
    METRICS_PORT: '0',
    ...env,
  })
  const listening = () => /^\{"event":"listening".*$/m.exec(program.stdout())?.[0]
  await waitUntil(() => listening() !== undefined || `${args.join(' ')} does not listen: ${program.stderr()}`)
  const { http } = JSON.parse(listening() ?? '') as { http: string }
  return { http, program }
}

/** Runs a command of the image to its end. */
export async function runInside(image: Image, ...command: string[]) {
  const program = startInside(image, command, {})
  const code = await program.exited
  return { code, output: program.stdout().trim(), errors: program.stderr() }
}
