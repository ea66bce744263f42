import type { Plugin } from 'rolldown'

interface Cut {
  package: string
  file: RegExp
  /** The code that is left of the file. */
  left(code: string): string
}

/** Keys of records are strings everywhere in the contract; all other kinds need TypeBox’s engine for types. */
const recordsOfStrings = `
  import { Memory } from '../../../system/memory/index.mjs'
  import { FromStringKey } from './from_key_string.mjs'
  export const RecordAction = (key, value, options) => Memory.Update(FromStringKey(key, value), {}, options)
  export const RecordInstantiate = undefined`

/** The formats that settings and answers have. Any other is not checked, as it would be by TypeBox if it knew no such format. */
export const formatsInPages = ['date', 'date-time', 'email'] as const
const fewFormats = `
  import { IsDate } from './date.mjs'
  import { IsDateTime } from './date_time.mjs'
  import { IsEmail } from './email.mjs'
  const formats = { date: IsDate, 'date-time': IsDateTime, email: IsEmail }
  export const Get = (format) => formats[format]
  export const Has = (format) => format in formats
  export const Test = (format, value) => formats[format]?.(value) ?? true`

/** Schemas of settings and answers refer to nothing. */
const noReferences = `
  function refuse() { throw new Error('schemas in pages have no references') }
  export { refuse as Ref, refuse as RecursiveRef, refuse as DynamicRef }`

/** Sockets never poll: see the client’s session-socket.ts. */
const onlyWebsockets = `
  import { WS } from './websocket.node.js'
  export const transports = { websocket: WS }`

/** Marked reads and writes; pages only read with it. Its default instance writes HTML and would keep all of that. */
function onlyReading(code: string): string {
  const names = /export\{([^}]*)\}/.exec(code)?.[1]?.split(',') ?? []
  const kept = names.filter((name) => /\bas (?:Lexer|Tokenizer)$/.test(name))
  const start = code.search(/var [\w$]+=new [\w$]+;function [\w$]+\([\w$]+,[\w$]+\)\{return [\w$]+\.parse\(/)
  if (start < 0 || kept.length !== 2) throw new Error('Marked has changed: see what pages need of it.')
  return `${code.slice(0, start)}export{${kept.join(',')}};`
}

const cuts: readonly Cut[] = [
  {
    package: 'typebox',
    file: /[\\/]typebox[\\/]build[\\/]type[\\/]engine[\\/]record[\\/]instantiate\.mjs$/,
    left: () => recordsOfStrings,
  },
  {
    package: 'typebox',
    file: /[\\/]typebox[\\/]build[\\/]format[\\/]_registry\.mjs$/,
    left: () => fewFormats,
  },
  {
    package: 'typebox',
    file: /[\\/]typebox[\\/]build[\\/]schema[\\/]resolve[\\/]resolve\.mjs$/,
    left: () => noReferences,
  },
  {
    package: 'engine.io-client',
    file: /[\\/]engine\.io-client[\\/]build[\\/]esm[\\/]transports[\\/]index\.js$/,
    left: () => onlyWebsockets,
  },
  { package: 'marked', file: /[\\/]marked[\\/]lib[\\/]marked\.esm\.js$/, left: onlyReading },
]

/** Leaves out of packages what participants’ pages never call, and a bundler cannot know that they do not. */
export function leanPackages() {
  const found = new Set<Cut>()
  const packages = new Set<string>()
  return {
    name: 'lean-packages',
    buildStart() {
      found.clear()
      packages.clear()
    },
    transform(code: string, id: string) {
      const name = /[\\/]node_modules[\\/](typebox|marked|engine\.io-client)[\\/]/.exec(id)?.[1]
      if (name === undefined) return null
      packages.add(name)
      const cut = cuts.find(({ file }) => file.test(id))
      if (cut) found.add(cut)
      // None of them does anything while it loads, but they do not say so.
      return { code: cut ? cut.left(code) : code, map: null, moduleSideEffects: false }
    },
    buildEnd(error?: Error) {
      const missing = cuts.filter((cut) => packages.has(cut.package) && !found.has(cut))
      if (!error && missing.length > 0)
        throw new Error(
          `Packages have changed, and pages would load more: ${missing.map(({ file }) => file)}`,
        )
    },
  } satisfies Plugin
}
