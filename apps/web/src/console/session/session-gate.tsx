import type { SignInSettings } from '@atrium/contract'
import { Button, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { developmentIdentity } from '../../identity/development.ts'
import { type Identity, readSignInSettings } from '../../identity/identity.ts'
import { providerIdentity } from '../../identity/provider.ts'
import { texts } from '../../text/console.ts'
import { FailurePage, WaitingPage, WholePage } from '../feedback/whole-page.tsx'
import { createApi } from './authorised-api.ts'
import {
  forgetPerson,
  identityOf,
  type RememberedPerson,
  recallPerson,
  rememberPerson,
} from './development-person.ts'
import { type Session, SessionContext } from './session.ts'
import { SignInPage } from './sign-in-page.tsx'
import { nameInToken } from './token-name.ts'

/** Fetched once per page load: none of this changes while the console is open. */
const once = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY } as const

/** Shows the console to people who are signed in, and the sign-in page to everyone else. */
export function SessionGate({ children }: { children: ReactNode }) {
  const settings = useQuery({ queryKey: ['sign-in'], queryFn: readSignInSettings, ...once })
  if (settings.isPending) return <WaitingPage text={texts().signIn.loadingSettings} />
  if (settings.isError) return <FailurePage error={settings.error} onRetry={settings.refetch} />
  return settings.data.kind === 'development' ? (
    <DevelopmentGate>{children}</DevelopmentGate>
  ) : (
    <ProviderGate settings={settings.data}>{children}</ProviderGate>
  )
}

function DevelopmentGate({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient()
  const [person, setPerson] = useState(() => recallPerson(localStorage))
  const identity = useMemo(() => person && developmentIdentity(identityOf(person)), [person])
  const signIn = (chosen: RememberedPerson) => {
    rememberPerson(localStorage, chosen)
    setPerson(chosen)
  }
  const signOut = () => {
    forgetPerson(localStorage)
    setPerson(undefined)
    // The next person must not see what this one saw; the sign-in settings stay.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'sign-in' })
  }
  if (!person || !identity) return <SignInPage onSignIn={signIn} />
  return (
    <SignedIn
      key={person.name + person.role}
      identity={identity}
      name={person.name}
      chosenRole={person.role}
      signOut={signOut}
    >
      {children}
    </SignedIn>
  )
}

type ProviderSettings = Extract<SignInSettings, { kind: 'provider' }>

function ProviderGate({ settings, children }: { settings: ProviderSettings; children: ReactNode }) {
  const account = useQuery({
    queryKey: ['sign-in', 'account'],
    queryFn: async () => {
      const identity = await providerIdentity(settings)
      // Without a token the browser leaves for the provider, and the promise never settles.
      return { identity, name: nameInToken(await identity.idToken()) }
    },
    retry: false,
    ...once,
  })
  if (account.isPending) return <WaitingPage text={texts().signIn.signingIn} />
  if (account.isError) return <FailurePage error={account.error} onRetry={account.refetch} />
  return (
    <SignedIn
      identity={account.data.identity}
      name={account.data.name}
      chosenRole={undefined}
      signOut={undefined}
    >
      {children}
    </SignedIn>
  )
}

interface SignedInProps extends Omit<Session, 'api'> {
  identity: Identity
  children: ReactNode
}

function SignedIn({ identity, name, chosenRole, signOut, children }: SignedInProps) {
  const [isForbidden, setIsForbidden] = useState(false)
  const session = useMemo(
    () => ({ name, chosenRole, signOut, api: createApi(identity, () => setIsForbidden(true)) }),
    [identity, name, chosenRole, signOut],
  )
  if (isForbidden) return <NoResearcherPage name={name} signOut={signOut} />
  return <SessionContext value={session}>{children}</SessionContext>
}

function NoResearcherPage({ name, signOut }: { name: string; signOut: (() => void) | undefined }) {
  const text = texts().noResearcher
  return (
    <WholePage>
      <Title order={1} size="h2">
        {text.title}
      </Title>
      <Text>{text.message(name)}</Text>
      {signOut ? (
        <Button onClick={signOut}>{text.signInAsOther}</Button>
      ) : (
        <Button onClick={() => location.reload()}>{text.reload}</Button>
      )}
    </WholePage>
  )
}
