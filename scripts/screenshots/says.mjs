/** Changes what the server says of its settings, or of the account (`path`), to the pages. */
export const says = (page, changes, path = 'auth/config') =>
  page.route(`**/api/${path}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...changes } });
  });
