import { recallSignIn, rememberSignIn } from './sign-in-state.ts'

// The only redirect address. It stores the provider's response for the page that started the sign-in and returns there.
const pending = recallSignIn()
if (pending) rememberSignIn({ ...pending, answer: location.search })
location.replace(pending?.returnTo ?? '/')
