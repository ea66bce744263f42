import { parseArgs } from 'node:util'
import { Misuse } from './run-command.ts'

/** The one folder that `backup` and `restore` are given. */
export function folderArgument(args: readonly string[], usage: string): string {
  const { positionals } = parsed(args, {}, usage)
  const [folder, ...more] = positionals
  if (folder === undefined || folder === '' || more.length > 0) throw new Misuse(usage)
  return folder
}

export function moveArguments(args: readonly string[], usage: string) {
  const options = {
    to: { type: 'string' },
    objects: { type: 'string' },
    'keep-objects': { type: 'boolean', default: false },
  } as const
  const { values, positionals } = parsed(args, options, usage)
  const { to, objects, 'keep-objects': keepsObjects } = values
  if (to === undefined || positionals.length > 0 || (objects !== undefined && keepsObjects))
    throw new Misuse(usage)
  if (!/^postgres(ql)?:\/\//.test(to)) throw new Misuse(`--to must begin with postgres://.\n${usage}`)
  return { to, objects, keepsObjects }
}

function parsed<Options extends NonNullable<Parameters<typeof parseArgs>[0]>['options']>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: options ?? {} }) as ReturnType<
      typeof parseArgs<{ allowPositionals: true; options: NonNullable<Options> }>
    >
  } catch (error) {
    throw new Misuse(`${(error as Error).message}\n${usage}`)
  }
}
