"""Map pages: the list, the editor, scene setup, pictures, and reachable places."""
