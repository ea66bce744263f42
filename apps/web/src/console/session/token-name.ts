import { texts } from '../../text/console.ts'
/** The name to show, from an ID token. For display only: the platform checks the token. */
export function nameInToken(idToken: string): string {
  try {
    const payload = idToken.split('.')[1] ?? ''
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    )
    const claims: Record<string, unknown> = { ...JSON.parse(new TextDecoder().decode(bytes)) }
    const found = [claims.name, claims.email, claims.sub].find(
      (claim) => typeof claim === 'string' && claim !== '',
    )
    return String(found ?? texts().shell.signedIn)
  } catch {
    return texts().shell.signedIn // A token that only the platform can read.
  }
}
