import type { Blueprint } from './blueprint.ts'

/** In the language of the blueprint; only of roles that have a name. */
export const roleNamesOf = ({ definition }: Pick<Blueprint, 'definition'>): Record<string, string> =>
  Object.fromEntries(
    (definition.roles ?? []).flatMap((role) =>
      typeof role === 'object' && role.name !== undefined ? [[role.id, role.name] as const] : [],
    ),
  )
