import { lazy, Suspense, useState } from 'react'
import { texts } from '../../text/participant.ts'
import { PageTitle } from '../frame/page-title.tsx'
import type { ConsentAnswer, Stage } from '../journey/stage.ts'
import { Consent } from '../views/gates/consent-view.tsx'
import type { Scene } from '../views/view.ts'
import { Page } from './page.tsx'

/** Few studies measure anything besides the answers. */
const CollectedList = lazy(async () => ({
  default: (await import('../paradata/collected-list.tsx')).CollectedList,
}))

const nowhere: Scene = {
  roomId: '',
  participantId: '',
  alias: '',
  role: '',
  others: [],
  otherCount: 0,
  stateId: '',
  visit: 0,
  enteredAt: 0,
  deadlineAt: null,
  variables: {},
  progress: { done: 0, of: 0 },
  messages: [],
  isStill: false,
  shownSince: () => 0,
  media: {
    subscribe: () => () => undefined,
    sync: () => undefined,
    ahead: () => undefined,
    take() {
      throw new Error('Media are shown in rooms.')
    },
  },
  serverNow: Date.now,
  uploadFile: () => Promise.reject(new Error('Files are uploaded in rooms.')),
  sendMessage: async () => undefined,
  note: () => undefined,
}

/** Only the component of this name has words and a file of its own. */
const withoutOwnWords = {
  ...{ agreeLabel: undefined, declineLabel: undefined },
  ...{ file: undefined, fileLabel: undefined },
}

/** The consent of the definition comes before everything else: there is no room yet, and nobody waits. */
export function ConsentPage({ stage }: { stage: Extract<Stage, { kind: 'consent' }> }) {
  const [enteredAt] = useState(() => Date.now())
  const { text = texts().consent.defaultText, sendsTextToModels } = stage.consent
  const { minReadMs = 0, requireScroll = false } = stage.consent
  return (
    <Page>
      <PageTitle>{texts().consent.title}</PageTitle>
      {sendsTextToModels && <p className="banner is-quiet">{texts().consent.sendsTextToModels}</p>}
      {/* Nobody agrees before they can read all of it. */}
      <Suspense>
        <Consent
          component={{ id: 'consent', type: 'consent' }}
          collected={stage.paradata.length > 0 && <CollectedList kinds={stage.paradata} />}
          settings={{ ...{ text, minReadMs, requireScroll }, ...withoutOwnWords }}
          scene={{ ...nowhere, enteredAt }}
          draft={undefined}
          onDraft={() => undefined}
          send={(answer) => stage.decide(answer as ConsentAnswer)}
          recorded={undefined}
          result={undefined}
          isLocked={false}
          problem={undefined}
        />
      </Suspense>
    </Page>
  )
}
