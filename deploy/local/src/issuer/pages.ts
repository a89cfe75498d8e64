import { readFileSync } from 'node:fs';

/** The style sheet of the pages: the looks of the console, and one card in the middle. */
export const pageStyle = (): string =>
  `${readFileSync(new URL(import.meta.resolve('@action-platform/console/base.css')), 'utf8')}
main {
  display: grid;
  gap: 0.875rem;
  max-width: 24rem;
  margin: 12vh auto;
  padding: 1.5rem;
  border: 1px solid var(--line);
  border-radius: 0.625rem;
  background: var(--surface);
  box-shadow: var(--shadow);
}

form {
  display: grid;
  gap: 0.5rem;
}

:is(h1, p) {
  margin: 0;
}

h1 {
  font-size: 1.375rem;
}

p {
  color: var(--soft);
}
`;

/** The page where a click signs in, without a script. */
export const signInPage = (users: readonly string[]): string =>
  page(
    'Sign in to the demo',
    `<p>The issuer of <code>npm start</code> asks for no password: it serves this machine alone.</p>
<form method="post">
${users.map((user) => `<button class="primary" name="user" value="${user}">${user}</button>`).join('\n')}
<button>Cancel</button>
</form>`,
  );

/** The page after a sign-out, with a link to the console. */
export const signedOutPage = (consoleUrl: string): string =>
  page('You are signed out', `<p><a class="button primary" href="${consoleUrl}">Sign in again</a></p>`);

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/style.css">
<main>
<h1>${title}</h1>
${body}
</main>
</html>
`;
