/** R38: how a participant gives or declines consent. The latest one counts. */
export const consentEvents = { given: 'consent_given', declined: 'consent_declined' } as const
