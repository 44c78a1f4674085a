import { Languages } from 'lucide-react';
import { Button } from '../ui/buttons/button.tsx';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import { useNextLanguage } from './use-next-language.ts';

/** Switches to the other language: a button with the language's own name, or an icon labelled with it. */
export function LanguageSwitch({ look }: { look: 'word' | 'icon' }) {
  const { code, name, choose } = useNextLanguage();
  if (look === 'icon') {
    return (
      <IconButton label={name} lang={code} onClick={choose}>
        <Languages />
      </IconButton>
    );
  }
  return (
    <Button variant="ghost" lang={code} onClick={choose}>
      {name}
    </Button>
  );
}
