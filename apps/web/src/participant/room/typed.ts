/**
 * What somebody has typed and not sent is kept in this tab under their own id: whoever takes part in the same browser after
 * them, or in another pane of a try, must not read it.
 */
export const typedKey = (participantId: string): string => `atrium.typed/${participantId}/`

/** Once they have finished, nobody needs it any more. */
export function forgetTyped(participantId: string): void {
  try {
    for (const name of Object.keys(sessionStorage))
      if (name.startsWith(typedKey(participantId))) sessionStorage.removeItem(name)
  } catch {
    // Storage is forbidden, so there is nothing in it.
  }
}
