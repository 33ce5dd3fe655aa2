"""How a battle starts: units from files, crews, deployment."""
